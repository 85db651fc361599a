// The shapes of gateways under test.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, leanFlags } from './child.ts'
import type { Shape } from './gateway-under-test.ts'
import type { Session } from './session.ts'

const SECRET = 'a secret between the benchmark and its issuer'

/** Starts the lean issuer as a separate process, for any number of gateways. */
export function startLeanIssuer(session: Session): Promise<Child> {
  const env = { TOLLGATE_SANDBOX_SECRET: SECRET }
  return session.startProgram('the card issuer', './lean-issuer.ts', env, leanFlags)
}

/** The shape of a live gateway, which calls an issuer over HTTP and delivers its notifications. */
export function liveShape(issuer: Child): Shape {
  return {
    program: 'src/gateway/main.ts',
    settings: {
      TOLLGATE_ROLE: 'all',
      TOLLGATE_SANDBOX_URL: issuer.readiness,
      TOLLGATE_SANDBOX_SECRET: SECRET,
    },
    issuerPid: issuer.pid,
  }
}

/** The live shape without its workers, which would deliver and settle the seeded orders. */
export function withoutWorkers(shape: Shape): Shape {
  return { ...shape, settings: { ...shape.settings, TOLLGATE_ROLE: 'api' } }
}

const IN_PROCESS_PROGRAM = 'bench/in-process-gateway.ts'

/** The gateway's own work alone: it calls the issuer as a function and delivers no notifications. */
export function inProcessShape(checkout: string): Shape {
  // In older versions the gateway itself called the sandbox's issuer in its process.
  const program = existsSync(join(checkout, IN_PROCESS_PROGRAM)) ? IN_PROCESS_PROGRAM : 'src/gateway/main.ts'
  return { program, settings: { TOLLGATE_ROLE: 'api' } }
}

/** The shape of `npm start` without settings: in sandbox with all its counterparties, and with its workers. */
export const sandboxShape: Shape = { program: 'src/gateway/main.ts', settings: { TOLLGATE_ROLE: 'all' } }
