// Callbacks of a wallet channel come from two counterparties at one address: the payment sheet, and the acquirer after a
// challenge. Each is authenticated and names a payment, whose outcome is then queried.
import { isObject } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import type { Callback, CallbackResult, Outcome } from '../contract.ts'
import { isUnsigned, readSignedCallback } from '../signed-callback.ts'

export type WalletCallbackOptions = {
  readonly acquirerSecret: string
  readonly sheetSecret: string | undefined
  readonly now: Date
  readonly alarms: Alarms
  readonly ask: (reference: string) => Promise<Outcome>
}

export async function readWalletCallback(
  callback: Callback,
  options: WalletCallbackOptions,
): Promise<CallbackResult> {
  const { acquirerSecret, sheetSecret, now, alarms, ask } = options
  const read = (secret: string, name: 'reference' | 'merchantReference') =>
    readSignedCallback(callback, {
      secret,
      now,
      alarms,
      async read(body) {
        const reference = isObject(body) ? body[name] : undefined
        return typeof reference === 'string' ? { reference, outcome: await ask(reference) } : undefined
      },
    })
  const result = await read(acquirerSecret, 'merchantReference')
  if (result.kind === 'accepted' || sheetSecret === undefined) return result
  const fromSheet = await read(sheetSecret, 'reference')
  // Of what neither of them reads, the answer is that to its sender.
  return isUnsigned(fromSheet) ? result : fromSheet
}
