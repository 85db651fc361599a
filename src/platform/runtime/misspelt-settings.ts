// Finds settings whose name is nearly that of another one. They have no effect, and nothing else would show it: a proxy that is
// not trusted looks like any other. Other names may be anybody's, such as those that a channels file takes secrets from.

type Env = Readonly<Record<string, string | undefined>>

export type Misspelt = { readonly name: string; readonly meant: string }

const PREFIX = 'TOLLGATE_'
/** Of the gateway, its sandbox, and the programs that call it. */
const known = [
  ...['BASE_URL', 'BINS', 'CHANNELS', 'CHANNEL_TIMEOUT_MS', 'CLOCK_FILE', 'DATA_DIR', 'FAST_PATHS'],
  ...['LOG_LEVEL', 'MAIL_FROM', 'MASTER_KEY', 'MAX_CONNECTIONS', 'MINUTE_MS', 'MODE', 'NOTIFY_ALLOW'],
  ...['NOTIFY_PORTS', 'OPS_HOST', 'OPS_PORT', 'OTHER_URL', 'PLAIN_HTTP_HOSTS', 'REGISTRATION'],
  ...['REQUEST_LOG_DAYS', 'ROLE', 'SANDBOX_SECRET', 'SANDBOX_URL', 'SECOND_PERSON_AMOUNT', 'SMTP_URL'],
  ...['TRUSTED_PROXIES'],
  ...['SANDBOX_PORT', 'SANDBOX_PUBLIC_URL', 'KEY', 'MERNO', 'SITE', 'URL'],
].map((name) => `${PREFIX}${name}`)

export function misspeltSettings(env: Env): Misspelt[] {
  const names = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name))
  return names.flatMap((name) => {
    const most = Math.floor((name.length - PREFIX.length) / 4)
    const meant = known.find((one) => distance(name, one) <= most)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** How many letters must be added, removed or replaced. */
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
