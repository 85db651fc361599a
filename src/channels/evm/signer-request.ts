// What the signer reads: what is paid, and a transaction. Nonce, gas and fees are proposals; the rest must stay as it is.
import { isObject } from '../../base/object.ts'
import { withChecksum } from '../crypto/address.ts'
import type { EvmSettings, Outgoing } from './evm-settings.ts'
import { formatUnits, readQuantity, toQuantity, transferData } from './hex.ts'
import type { Rpc } from './json-rpc.ts'
import type { Head } from './nodes.ts'
import type { OutgoingTransfer } from './outgoing-records.ts'
import type { SignedTransaction } from './signed-transaction.ts'

export type SigningJob = {
  readonly settings: Pick<EvmSettings, 'chainId' | 'network' | 'coins'>
  readonly outgoing: Outgoing
  readonly head: Head
  readonly signal: AbortSignal
}

/** What the transaction must do. */
export function callOf({
  token,
  to,
  units,
}: OutgoingTransfer): Pick<SignedTransaction, 'to' | 'value' | 'data'> {
  return token === 'native'
    ? { to, value: units, data: '0x' }
    : { to: token, value: 0n, data: transferData(to, units) }
}

export async function requestOf(job: SigningJob, transfer: OutgoingTransfer, nonce: number): Promise<object> {
  const { settings, outgoing, head, signal } = job
  const { id, reference, purpose, units, coin } = transfer
  const call = callOf(transfer)
  const from = withChecksum(outgoing.from)
  const transaction = { from, to: withChecksum(call.to), value: toQuantity(call.value), data: call.data }
  const proposed = await head.any(async (rpc) => {
    const gas = readQuantity(await rpc.call('eth_estimateGas', [transaction], signal), 'the gas')
    return { gas: gas + gas / 4n, fees: await readFees(rpc, signal) }
  })
  const decimals = settings.coins.get(coin)?.decimals.chain ?? 0
  return {
    id,
    ...(purpose === 'refund' ? { payment: reference } : { payout: reference }),
    pays: `${formatUnits(units, decimals)} ${coin} on ${settings.network} to ${withChecksum(transfer.to)}`,
    chainId: settings.chainId,
    ...transaction,
    type: '0x2',
    nonce: toQuantity(nonce),
    gas: toQuantity(proposed.gas),
    ...proposed.fees,
  }
}

/** Twice the current base fee stays enough for some blocks, as wallets do it. */
async function readFees(rpc: Rpc, signal: AbortSignal): Promise<object> {
  const priority = readQuantity(await rpc.call('eth_maxPriorityFeePerGas', [], signal), 'the priority fee')
  const block = await rpc.call('eth_getBlockByNumber', ['latest', false], signal)
  const base = readQuantity(isObject(block) ? block.baseFeePerGas : undefined, 'the base fee')
  return { maxFeePerGas: toQuantity(base * 2n + priority), maxPriorityFeePerGas: toQuantity(priority) }
}
