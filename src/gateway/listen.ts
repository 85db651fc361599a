import type { FastifyInstance } from 'fastify'
import { SettingError } from '../base/error.ts'
import type { ListenAddress } from '../config.ts'

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program, perhaps another Tollgate, already listens there',
  EACCES: 'this user may not listen there; ports below 1024 are often for root alone',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
}

/** The address that it serves at. `settings` names what an operator may change when it cannot. */
export async function listenAt(
  app: FastifyInstance,
  { host, port }: ListenAddress,
  settings: string,
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw new SettingError(`cannot listen on ${host}:${port}: ${reasonOf(error)}. Set ${settings}`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}
