import { SettingError } from '../../errors/catalogue.ts'

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program, perhaps another Tollgate, already listens there',
  EACCES: 'this user may not listen there; ports below 1024 are often reserved for root',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
}

/**
 * Listens and returns the address. If the server cannot listen there, the error names `settings` as the settings to
 * change.
 */
export async function listenAt(
  app: { listen(at: { host: string; port: number }): Promise<string> },
  { host, port }: { readonly host: string; readonly port: number },
  settings: string,
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw cannotListen(error, `${host}:${port}`, settings)
  }
}

export function cannotListen(error: unknown, address: string, settings: string): SettingError {
  return new SettingError(`cannot listen on ${address}: ${reasonOf(error)}. Set ${settings}`, {
    cause: error,
  })
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}
