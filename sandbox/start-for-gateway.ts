// Starts the counterparties of a gateway in sandbox without TOLLGATE_SANDBOX_URL, so that one program is enough to try
// the gateway. The gateway gets the counterparties' address and secret as if they had been set.
import { sandboxSecret } from './shared-secret.ts'

/** The settings of a gateway that concern the sandbox. */
export type SandboxSettings = {
  readonly mode: 'sandbox' | 'live'
  readonly host: string
  readonly dataDir: string
  readonly minuteMs: number
  readonly sandboxUrl: string | undefined
  readonly sandboxSecret: string | undefined
}

export type StartedSandbox<Settings> = {
  /** The given settings, with the address and secret of the gateway's counterparties. */
  readonly config: Settings
  /**
   * Stops the counterparties. Callers close the gateway first, because the gateway calls its counterparties until it is
   * closed.
   */
  close(): Promise<void>
}

export async function startSandboxFor<Settings extends SandboxSettings>(
  config: Settings,
): Promise<StartedSandbox<Settings>> {
  const { mode, host, dataDir, minuteMs } = config
  if (mode === 'live') return { config, close: async () => {} }
  const secret = config.sandboxSecret ?? sandboxSecret(dataDir)
  if (config.sandboxUrl !== undefined)
    return { config: { ...config, sandboxSecret: secret }, close: async () => {} }
  // The sandbox is loaded only here, because a live gateway does not need it.
  const { startSandbox } = await import('./server.ts')
  const { url, settings, close } = await startSandbox({ host, dataDir, minuteMs, secret })
  // The first read creates RSA keys, which can take seconds on a busy machine. A request of the gateway must not wait
  // for the keys.
  settings()
  return { config: { ...config, sandboxUrl: url, sandboxSecret: secret }, close }
}
