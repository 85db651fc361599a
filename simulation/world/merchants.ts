// The simulation's connection to the merchants' servers, which are a separate program and receive notifications. The
// simulation sets the servers' behaviour and reads the received notifications.
import { programPath, startChild } from '../../bench/child.ts'

export type Behaviour = 'ok' | 'hang' | 'error' | 'wrong-body' | 'redirect' | 'reset' | 'slow'

export type Notification = {
  readonly path: string
  readonly contentType: string
  readonly webhookId: string
  /** The values of the headers webhook-timestamp and webhook-signature. */
  readonly timestamp: string
  readonly signature: string
  readonly body: string
  readonly acknowledged: boolean
}

export type Merchants = {
  readonly url: string
  behave(behaviours: readonly Behaviour[], share: number): Promise<void>
  /** The number of times that the servers misbehaved since the last call. */
  misbehaved(): Promise<number>
  /** All notifications since the start. */
  received(): Promise<readonly Notification[]>
  close(): Promise<void>
}

export async function startMerchants(seed: number): Promise<Merchants> {
  const path = programPath('../simulation/programs/merchants.ts')
  const child = await startChild({ name: 'the merchants', args: [path, String(seed)] })
  const url = child.readiness
  const ask = async (what: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return JSON.parse(await (await fetch(`${url}/control/${what}`, init)).text())
  }
  const known: Notification[] = []
  return {
    url,
    behave: async (behaviours, share) => void (await ask('behave', { behaviours, share })),
    misbehaved: () => ask('misbehaved'),
    async received() {
      known.push(...(await ask(`received/${known.length}`)))
      return known
    },
    close: child.stop,
  }
}
