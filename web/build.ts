// Builds the web app into a folder. `setup.mjs` runs it if something in web/ has changed: node web/build.ts
// web/dist.next
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

/** Smaller files are not compressed, because compression would gain nothing. */
const COMPRESS_FROM_BYTES = 1024

const [out = 'dist'] = process.argv.slice(2)

await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/backoffice/',
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: fileURLToPath(new URL(out, `file://${process.cwd()}/`)),
    emptyOutDir: true,
    target: 'es2023',
    // Pictures are separate files. If they were part of style sheets and scripts, the content security policy would
    // need exceptions.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'files.json',
  },
})
compress(join(out, 'assets'))

function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name))
    if (content.length < COMPRESS_FROM_BYTES) continue
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
  }
}
