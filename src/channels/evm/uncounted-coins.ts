// A listed coin that is no currency of the books, such as BNB, can pay an order that asks for it. Sent to another order it can
// be booked nowhere; the log says so, because the payer will ask.
import type { ChannelStore } from '../store.ts'
import type { EvmSettings } from './evm-settings.ts'
import { isUncounted } from './outcome.ts'
import { findCharge, type StoredTransfer } from './records.ts'
import type { UnlistedDeps } from './unlisted-tokens.ts'

export type UncountedDeps = Pick<UnlistedDeps, 'channel' | 'log'> & {
  readonly settings: EvmSettings
  readonly store: ChannelStore
}

/** Of transfers that are written next: again, if the process dies before. Never throws, for the money must be written. */
export async function warnOfUncounted(
  deps: UncountedDeps,
  transfers: readonly StoredTransfer[],
): Promise<void> {
  for (const transfer of transfers)
    await warnIfUncounted(deps, transfer).catch((error: Error) => {
      const { channel, log } = deps
      const { reference, txHash } = transfer
      log.warn(
        { channel, reference, txHash, why: error.message },
        'it could not be found out whether a transfer is in a coin that does not count',
      )
    })
}

async function warnIfUncounted(
  { channel, log, settings, store }: UncountedDeps,
  transfer: StoredTransfer,
): Promise<void> {
  const { reference, txHash, token } = transfer
  const charge = await findCharge(store, reference)
  if (charge === undefined || !isUncounted(settings, charge, transfer)) return
  const coin = [...settings.coins.values()].find((one) => one.token === token)?.name
  log.warn(
    { channel, reference, txHash, coin },
    `a payer sent ${coin} to an order in ${charge.coin}: it does not count, for it is no currency of the books`,
  )
}
