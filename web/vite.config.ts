import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type Plugin, defineConfig } from "vite";

const RUNTIME = "ort-wasm-simd-threaded.wasm"; // what runs networks, without threads and without a graphics card

/** Put the runtime of networks beside the script that uses it, packed: it is four times as large else. */
const runtime: Plugin = {
  name: "runtime",
  enforce: "pre",
  transform: (code, id) => (id.includes("onnxruntime-web") ? code.replaceAll(`new URL("${RUNTIME}",import.meta.url).href`, '""') : null),
  generateBundle() {
    const source = gzipSync(readFileSync(`node_modules/onnxruntime-web/dist/${RUNTIME}`), { level: 9 });
    this.emitFile({ type: "asset", fileName: "assets/net.wasm.gz", source });
  },
};

// Three builds: the page, one script and one style; the board in three dimensions and what runs networks, which it loads when they are asked for.
export default defineConfig(({ mode }) => {
  const part = mode === "board3d" || mode === "net" ? mode : "page";
  const page = {
    rollupOptions: { output: { entryFileNames: "assets/page.js", assetFileNames: "assets/page[extname]", codeSplitting: false } },
  };
  const onDemand = (input: string) => ({
    copyPublicDir: false,
    rollupOptions: { input, preserveEntrySignatures: "strict" as const, output: { entryFileNames: `assets/${part}.js`, codeSplitting: false } },
  });
  return {
    base: "./",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: part === "net" ? [runtime] : [],
    build: {
      target: "es2022",
      outDir: "../src/ludus/viewers/page",
      emptyOutDir: part === "page",
      assetsInlineLimit: 1 << 20,
      modulePreload: false as const,
      reportCompressedSize: false,
      ...(part === "page" ? page : onDemand(part === "net" ? "src/net/worker.ts" : "src/board3d/index.ts")),
    },
    worker: { format: "iife" as const },
  };
});
