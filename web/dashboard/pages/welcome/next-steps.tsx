import { Link } from "@tanstack/react-router";
import { pathOf } from "../../api/call-service.ts";
import { useStart, useWorkspace } from "../../api/use-session.ts";
import { BookIcon, ChevronRightIcon, KeyIcon, PeopleIcon, PhoneIcon } from "../../components/icons.tsx";

const row = "flex min-h-10 items-center gap-3 rounded-lg px-2.5 text-sm hover:bg-hover";

/** Where to go once the first requests worked. */
export function NextSteps() {
  const { workspaceId, isAtLeast } = useWorkspace();
  const { installation } = useStart();
  const voice = pathOf(installation.services, "voice");
  return (
    <section aria-label="Next steps" className="rounded-xl border bg-raised p-4 shadow-card sm:p-5">
      <h2 className="mb-1 font-semibold">Next steps</h2>
      <ul className="-mx-2.5">
        <li>
          <Link to={`/w/${workspaceId}/keys`} search={{ create: "yes" } as never} className={row}>
            <KeyIcon className="text-faint" /> Create a key for your program
            <ChevronRightIcon className="ml-auto text-faint" />
          </Link>
        </li>
        {voice !== undefined && (
          <li>
            <a href="/call" className={row}>
              <PhoneIcon className="text-faint" /> Talk to it in a live call
              <ChevronRightIcon className="ml-auto text-faint" />
            </a>
          </li>
        )}
        {isAtLeast("admin") && (
          <li>
            <Link to={`/w/${workspaceId}/members`} className={row}>
              <PeopleIcon className="text-faint" /> Invite colleagues
              <ChevronRightIcon className="ml-auto text-faint" />
            </Link>
          </li>
        )}
        {installation.services.map(({ name, title }) => (
          <li key={name}>
            <a href={`${pathOf(installation.services, name)}/docs`} className={row}>
              <BookIcon className="text-faint" /> API reference: {title}
              <ChevronRightIcon className="ml-auto text-faint" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
