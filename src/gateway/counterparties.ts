// Who is at the other end: the sandbox inside this process, or addresses of the settings.
import type { Clock } from '../base/clock.ts'
import { createCardChannel } from '../channels/card/card-channel.ts'
import { httpTransport, type IssuerTransport, inProcessTransport } from '../channels/transport.ts'
import type { Channel } from '../channels/contract.ts'
import { createBankRail } from '../channels/payout/bank-rail.ts'
import type { PayoutRail } from '../channels/payout/contract.ts'
import type { Config } from '../config.ts'
import { PAYOUT_BANK_PATH, type Sandbox, sandboxSecret, startSandbox } from '../sandbox/server.ts'

/** Live has no simulated counterparties. */
export async function openSandbox(config: Config): Promise<Sandbox | undefined> {
  if (config.mode === 'live' || config.cardIssuerUrl !== undefined) return undefined
  const { host, dataDir, minuteMs, cardIssuerSecret: secret } = config
  return startSandbox({ host, dataDir, minuteMs, secret })
}

export function cardChannels(config: Config, sandbox: Sandbox | undefined, clock: Clock): Channel[] {
  const transport = issuerTransport(config, sandbox)
  return transport === undefined
    ? []
    : [createCardChannel({ transport, timeoutMs: config.channelTimeoutMs, clock })]
}

function issuerTransport(config: Config, sandbox: Sandbox | undefined): IssuerTransport | undefined {
  if (sandbox !== undefined) return inProcessTransport(sandbox.issuer)
  if (config.cardIssuerUrl === undefined) return undefined
  const secret = config.cardIssuerSecret ?? sandboxSecret(config.dataDir)
  return httpTransport({ url: config.cardIssuerUrl, secret })
}

/** Pays out in the sandbox alone, at the bank beside the card issuer. */
export function payoutRails(config: Config, sandbox: Sandbox | undefined): PayoutRail[] {
  if (config.mode === 'live') return []
  const { channelTimeoutMs: timeoutMs, cardIssuerUrl } = config
  if (sandbox !== undefined)
    return [createBankRail({ transport: inProcessTransport(sandbox.payoutBank), timeoutMs })]
  if (cardIssuerUrl === undefined) return []
  const secret = config.cardIssuerSecret ?? sandboxSecret(config.dataDir)
  return [
    createBankRail({
      transport: httpTransport({ url: cardIssuerUrl + PAYOUT_BANK_PATH, secret }),
      timeoutMs,
    }),
  ]
}
