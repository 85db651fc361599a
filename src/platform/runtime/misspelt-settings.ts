// Finds settings whose name is nearly that of a known setting. A misspelt setting has no effect, and nothing else would
// show the mistake. Other unknown names are not reported. They may have another use, such as secrets that a channels
// file reads.

import { nearest } from '../base/nearest.ts'
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
    const meant = nearest(name, known, most)
    return meant === undefined ? [] : [{ name, meant }]
  })
}
