import { PageHeader } from "../../components/card.tsx";
import { EngineTable } from "./engine-table.tsx";

export default function EnginesPage() {
  return (
    <>
      <PageHeader title="Engines" description="What speaks, hears, translates, answers and reads inside this server." />
      <EngineTable />
    </>
  );
}
