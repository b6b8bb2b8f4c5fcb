/** Bytes and weights of one block of each of ggml's number formats that files use (ggml.h, ggml-common.h), by their numbers there. */
export const blockSizes: Readonly<Record<number, readonly [weights: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};

/** What the runtime can load (llama.cpp's list as node-llama-cpp 3.21 has it; a test compares them). */
export const architectures: ReadonlySet<string> = new Set(
  [
    "llama llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bloom stablelm qwen qwen2 qwen2moe qwen2vl",
    "qwen3 qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe phi2 phi3 phimoe plamo plamo2 plamo3 codeshell orion internlm2",
    "minicpm minicpm3 gemma gemma2 gemma3 gemma3n gemma4 gemma4-assistant starcoder2 mamba mamba2 jamba falcon-h1 xverse",
    "command-r cohere2 cohere2moe dbrx olmo olmo2 olmoe muse-glimmer openelm arctic deepseek deepseek2 deepseek2-ocr deepseek32",
    "deepseek4 chatglm glm4 glm4moe glm-dsa bitnet t5 jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe",
    "rwkv6 rwkv6qwen2 rwkv7 arwkv7 granite granitemoe granitehybrid graniteswitch chameleon plm bailingmoe bailingmoe2 dots1",
    "arcee afmoe laguna ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 smollm3 gpt-oss lfm2 lfm2moe dream",
    "smallthinker llada llada-moe seed_oss grovemoe apertus minimax-m2 minimax-m3 cogvlm rnd1 pangu-embedded mistral3 eagle3",
    "dflash mistral4 paddleocr mimo2 step35 maincoder kimi-linear talkie mellum nanbeige",
  ].flatMap((line) => line.split(" ")),
);

/** Those that turn texts into vectors and cannot write. */
export const embeddingArchitectures: ReadonlySet<string> = new Set(
  "bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert gemma-embedding t5encoder llama-embed".split(
    " ",
  ),
);
