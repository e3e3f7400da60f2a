import { defineConfig } from "vite";

// Two builds: the page, one script and one style, and the board in three dimensions, which it loads when it is asked for.
export default defineConfig(({ mode }) => {
  const isBoard3d = mode === "board3d";
  const page = {
    rollupOptions: { output: { entryFileNames: "assets/page.js", assetFileNames: "assets/page[extname]", codeSplitting: false } },
  };
  const board3d = {
    copyPublicDir: false,
    rollupOptions: {
      input: "src/board3d/index.ts", preserveEntrySignatures: "strict" as const, output: { entryFileNames: "assets/board3d.js", codeSplitting: false },
    },
  };
  return {
    base: "./",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      target: "es2022",
      outDir: "../src/ludus/viewers/page",
      emptyOutDir: !isBoard3d,
      assetsInlineLimit: 1 << 20,
      modulePreload: false as const,
      reportCompressedSize: false,
      ...(isBoard3d ? board3d : page),
    },
    worker: { format: "iife" as const },
  };
});
