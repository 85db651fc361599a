// Finds settings whose name is nearly that of a known setting. A misspelt setting has no effect, and nothing else would
// show the mistake. Other unknown names may belong to anybody, such as the secrets that a channels file reads.

import { settingNames } from '../config/config.ts'

type Env = Readonly<Record<string, string | undefined>>

export type Misspelt = { readonly name: string; readonly meant: string }

const PREFIX = 'TOLLGATE_'
/** The settings of the gateway, of its sandbox, and of the programs that call the gateway. */
const known = [
  ...settingNames,
  ...['SANDBOX_PORT', 'SANDBOX_PUBLIC_URL', 'KEY', 'MERNO', 'SITE', 'URL'].map((name) => `${PREFIX}${name}`),
]

export function misspeltSettings(env: Env): Misspelt[] {
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name))
  return names.flatMap((name) => {
    const most = Math.floor((name.length - PREFIX.length) / 4)
    const meant = known.find((one) => distance(name, one) <= most)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** The least number of letters to add, remove or replace until one text becomes the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, wanted] of [...other].entries()) {
      const [above = 0, before = 0, left = 0] = [row[place + 1], row[place], next[place]]
      next.push(Math.min(above + 1, left + 1, before + (letter === wanted ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
