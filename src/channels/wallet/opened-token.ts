// What a wallet's token is to a channel once it was judged: a card that lives in memory for one call, or a reason why not.
// Whatever breaks while a stranger's token is read is that token's fault: it is turned down, and nothing is thrown.
import type { Money } from '../../base/money.ts'

/** The card as the payer's device holds it. Lives in memory for the one call that charges it; never stored, never logged. */
export type DeviceCard = {
  readonly number: string
  /** Two digits. */
  readonly expiryMonth: string
  /** Four digits. */
  readonly expiryYear: string
  /** Proves that the device made this payment. A card that was only kept by the wallet has none. */
  readonly cryptogram?: string
  readonly eci?: string
}

export const ANY_MERCHANT = 0

export type OpenedToken = {
  readonly kind: 'opened'
  /** The wallet's own name of this token: the same token again has the same. */
  readonly tokenId: string
  /** The merchant that the token itself names. One that names none must not pay at another shop either. */
  readonly merNo: number | typeof ANY_MERCHANT
  readonly card: DeviceCard
}

export type JudgedToken = OpenedToken | { readonly kind: 'bad'; readonly message: string }

/** The payment that a token must be for. */
export type TokenUse = { readonly merNo: number; readonly money: Money }

export type OpenToken = (text: string, use: TokenUse) => Promise<JudgedToken>

/** Its message is for the merchant and payer. */
export class BadToken extends Error {}

export async function judgeToken(wallet: string, open: () => Promise<OpenedToken>): Promise<JudgedToken> {
  try {
    return await open()
  } catch (error) {
    const message = error instanceof BadToken ? error.message : `The ${wallet} token is not valid`
    return { kind: 'bad', message }
  }
}
