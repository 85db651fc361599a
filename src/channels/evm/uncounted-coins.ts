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

/** Of transfers that are written next, so once for each. */
export async function warnOfUncounted(
  { channel, log, settings, store }: UncountedDeps,
  transfers: readonly StoredTransfer[],
): Promise<void> {
  for (const transfer of transfers) {
    const { reference, txHash, token } = transfer
    const charge = await findCharge(store, reference)
    if (charge === undefined || !isUncounted(settings, charge, transfer)) continue
    const coin = [...settings.coins.values()].find((one) => one.token === token)?.name
    log.warn(
      { channel, reference, txHash, coin },
      `a payer sent ${coin} to an order in ${charge.coin}: it does not count, for it is no currency of the books`,
    )
  }
}
