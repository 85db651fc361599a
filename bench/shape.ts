// The shape of a gateway under test: its program and its counterparties.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, leanFlags } from './child.ts'
import type { Session } from './session.ts'

export type Shape = {
  /** The program, relative to the checkout. */
  readonly program: string
  readonly settings: Readonly<Record<string, string>>
  /** The process whose processor time is the issuer's. */
  readonly issuerPid?: number
}

const SECRET = 'a secret between the benchmark and its issuer'

/** Starts the lean issuer as a separate process, for any number of gateways. */
export function startLeanIssuer(session: Session): Promise<Child> {
  const env = { TOLLGATE_SANDBOX_SECRET: SECRET }
  return session.startProgram('the card issuer', './lean-issuer.ts', env, leanFlags)
}

/** As in live: the card channel goes over HTTP to an issuer, and the gateway delivers its notifications. */
export function liveShape(issuer: Child): Shape {
  return {
    program: 'src/main.ts',
    settings: {
      TOLLGATE_ROLE: 'all',
      TOLLGATE_SANDBOX_URL: issuer.readiness,
      TOLLGATE_SANDBOX_SECRET: SECRET,
    },
    issuerPid: issuer.pid,
  }
}

/** The live shape without its workers: they would deliver and settle what a test has loaded. */
export function withoutWorkers(shape: Shape): Shape {
  return { ...shape, settings: { ...shape.settings, TOLLGATE_ROLE: 'api' } }
}

const IN_PROCESS_PROGRAM = 'bench/in-process-gateway.ts'

/** The gateway's own work alone: the issuer is a function call away, and delivery is left to others. */
export function inProcessShape(checkout: string): Shape {
  // In older versions the gateway itself called the sandbox's issuer in its process.
  const program = existsSync(join(checkout, IN_PROCESS_PROGRAM)) ? IN_PROCESS_PROGRAM : 'src/main.ts'
  return { program, settings: { TOLLGATE_ROLE: 'api' } }
}

/** As `npm start` runs it without settings: in sandbox with all its counterparties, and with its workers. */
export const sandboxShape: Shape = { program: 'src/main.ts', settings: { TOLLGATE_ROLE: 'all' } }
