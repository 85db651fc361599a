// Writes a script without comments, spaces and long names. `npm run manifest` runs it for the script that shops load:
// node web/minify.ts FROM TO
import { readFileSync, writeFileSync } from 'node:fs'
import { minifySync } from 'vite'

/** Browsers that can show the drop-in's dialog know all of it. */
const TARGET = 'es2022'

export function minified(file: string): string {
  const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), { compress: { target: TARGET } })
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
  return `${code}\n`
}

if (import.meta.main) {
  const [from = '', to = ''] = process.argv.slice(2)
  writeFileSync(to, minified(from))
}
