// Writes a script without comments, unneeded spaces and long names. `npm run manifest` runs it for the script that
// shops load. With --bundle, `npm run manifest` runs it for a script that imports others: node web/minify.ts [--bundle]
// FROM TO
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, minifySync } from 'vite'

/** The version of JavaScript in the output. Every browser that can show the drop-in's dialog supports it. */
const TARGET = 'es2022'

export function minified(file: string): string {
  const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), { compress: { target: TARGET } })
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
  return `${code}\n`
}

/**
 * Returns the file and everything that it imports as one script. The notice at the head of the file stays at the head.
 */
export async function bundled(file: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: TARGET,
      rolldownOptions: { input: resolve(file), output: { format: 'iife' } },
    },
  })
  const [script] = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  if (script?.type !== 'chunk') throw new Error(`${file} is no script`)
  const [notice = ''] = /\/\*!.*?\*\//s.exec(readFileSync(file, 'utf8')) ?? []
  return `${notice}\n${script.code.trim()}\n`
}

if (import.meta.main) {
  const [first = '', ...rest] = process.argv.slice(2)
  const isBundle = first === '--bundle'
  const [from = '', to = ''] = isBundle ? rest : [first, ...rest]
  writeFileSync(to, isBundle ? await bundled(from) : minified(from))
}
