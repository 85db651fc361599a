// Whether a block has one of a transfer's transactions, and whether it paid.
import { type Receipt, readReceipt } from './chain.ts'
import { addressTopic, readQuantity, TRANSFER_TOPIC } from './hex.ts'
import type { Head } from './nodes.ts'
import type { OpenTransfer, OutgoingTransfer } from './outgoing-records.ts'

export type Mined = Pick<Receipt, 'blockHash' | 'blockNumber' | 'isSuccess'> & {
  readonly txHash: string
  readonly isPaid: boolean
}

type Sent = OutgoingTransfer & Pick<OpenTransfer, 'signed'>

type Looking = { readonly head: Head; readonly signal: AbortSignal }

export async function findMined({ head, signal }: Looking, transfer: Sent): Promise<Mined | undefined> {
  for (const { txHash } of transfer.signed) {
    const { found } = await head.agreed(`the transaction ${txHash}`, async (rpc) => {
      const receipt = await readReceipt(rpc, txHash, signal)
      return { found: receipt && toMined(receipt, txHash, transfer) }
    })
    if (found !== undefined) return found
  }
  return undefined
}

/** Only what must be the same at all nodes: logs have other fields, in another order, from another software. */
function toMined(receipt: Receipt, txHash: string, transfer: OutgoingTransfer): Mined {
  const { blockHash, blockNumber, isSuccess } = receipt
  const isPaid = isSuccess && (transfer.token === 'native' || hasTransfer(receipt, transfer))
  return { txHash, blockHash, blockNumber, isSuccess, isPaid }
}

function hasTransfer({ logs }: Receipt, { token, to, units }: OutgoingTransfer): boolean {
  return logs.some(({ address, topics, data }) => {
    const isOurs = typeof address === 'string' && address.toLowerCase() === token && Array.isArray(topics)
    return (
      isOurs &&
      topics[0] === TRANSFER_TOPIC &&
      topics[2] === addressTopic(to) &&
      readQuantity(data, 'a value') === units
    )
  })
}
