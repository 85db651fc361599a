// Callbacks of a wallet channel come from two counterparties at one address: the payment sheet, and the acquirer after a
// challenge. Each is authenticated and names a payment, whose outcome is then queried.
import { isObject } from '../../base/object.ts'
import type { Callback, Heard, Outcome } from '../contract.ts'
import { hearSigned } from '../signed-callback.ts'

export type WalletEars = {
  readonly acquirerSecret: string
  readonly sheetSecret: string | undefined
  readonly now: Date
  readonly ask: (reference: string) => Promise<Outcome>
}

export async function hearWallet(callback: Callback, ears: WalletEars): Promise<Heard> {
  const { acquirerSecret, sheetSecret, now, ask } = ears
  const hear = (secret: string, name: 'reference' | 'merchantReference') =>
    hearSigned(callback, {
      secret,
      now,
      async read(body) {
        const reference = isObject(body) ? body[name] : undefined
        return typeof reference === 'string' ? { reference, outcome: await ask(reference) } : undefined
      },
    })
  const heard = await hear(acquirerSecret, 'merchantReference')
  return heard.kind === 'heard' || sheetSecret === undefined ? heard : hear(sheetSecret, 'reference')
}
