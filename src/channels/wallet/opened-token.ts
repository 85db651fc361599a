// The result of verifying and decrypting a wallet token: a card, or the reason for refusing it. Any error while reading a
// token makes the token invalid; nothing is thrown. A token whose key the acquirer has stays as it is.
import type { Money } from '../../base/money.ts'

/** The card inside a token. In memory for the one call that charges it; never stored, never logged. */
export type DeviceCard = {
  readonly number: string
  /** Two digits. */
  readonly expiryMonth: string
  /** Four digits. */
  readonly expiryYear: string
  /** Proves that the device made this payment. A card stored in the wallet account has none. */
  readonly cryptogram?: string
  readonly eci?: string
}

/** A token that only the acquirer can open. In memory like a card. */
export type SealedCard = { readonly token: string }

export const ANY_MERCHANT = 0

export type OpenedToken = {
  readonly kind: 'opened'
  /** The wallet's own id of this token. */
  readonly tokenId: string
  /** The merchant named in the token. A token that names none may still be used only once, at one shop. */
  readonly merNo: number | typeof ANY_MERCHANT
  readonly card: DeviceCard | SealedCard
}

export type VerifiedToken = OpenedToken | { readonly kind: 'bad'; readonly message: string }

/** The payment that a token must be for. */
export type TokenUse = { readonly merNo: number; readonly money: Money }

export type OpenToken = (text: string, use: TokenUse) => Promise<VerifiedToken>

/** Its message is for the merchant and the payer. */
export class BadToken extends Error {}

export async function verifyToken(wallet: string, open: () => Promise<OpenedToken>): Promise<VerifiedToken> {
  try {
    return await open()
  } catch (error) {
    const message = error instanceof BadToken ? error.message : `The ${wallet} token is not valid`
    return { kind: 'bad', message }
  }
}
