// Collects the facts about a payment that lists and rules use. The payer's country is the country that the payer
// stated, because we have no table of the countries of networks. The issuer's country comes from the table of BINs, if
// there is one. No page reads a device id, so a device is identified by its browser's data and its network.
import { hash } from 'node:crypto'
import type { MaskedCard } from '../../platform/base/card-number.ts'
import type { Fields } from '../../platform/base/object.ts'
import { networkOf } from '../../platform/http/addresses.ts'

/**
 * The data of a payment, or of an earlier attempt, from which facts are collected. `details` has the fields of merchant
 * and payer.
 */
export type RiskSubject = {
  readonly merNo: number
  readonly method: string
  readonly usdValue: bigint
  readonly card: MaskedCard | undefined
  readonly details: Fields
}

export type Facts = {
  readonly merNo: number
  readonly method: string
  readonly usdValue: bigint
  readonly card: string | undefined
  readonly bin: string | undefined
  /** The country that the payer stated. */
  readonly country: string | undefined
  readonly issuerCountry: string | undefined
  readonly shippingCountry: string | undefined
  /** The e-mail addresses in lower case, without duplicates, the payer's own first. */
  readonly emails: readonly string[]
  readonly address: string | undefined
  readonly device: string | undefined
}

export function factsOf({ merNo, method, usdValue, card, details }: RiskSubject): Facts {
  const emails = [details.billingEmail, details.email, details.shippingEmail]
  return {
    merNo,
    method,
    usdValue,
    card: card?.fingerprint,
    bin: card?.first6,
    country: textOf(details.billingCountry),
    issuerCountry: card?.country,
    shippingCountry: textOf(details.shippingCountry),
    emails: [
      ...new Set(
        emails
          .map(textOf)
          .filter((email) => email !== undefined)
          .map(plainEmail),
      ),
    ],
    address: textOf(details.ipAddress),
    device: deviceOf(details),
  }
}

export function plainEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

const DEVICE_LENGTH = 32

function deviceOf(details: Fields): string | undefined {
  const { userAgent, language, screenWidth, screenHeight, screenColorDepth, timezone } = details
  const agent = textOf(userAgent)
  const address = textOf(details.ipAddress)
  if (agent === undefined || address === undefined) return undefined
  const seen = [agent, networkOf(address), language, screenWidth, screenHeight, screenColorDepth, timezone]
  return hash('sha256', JSON.stringify(seen.map((one) => one ?? '')), 'hex').slice(0, DEVICE_LENGTH)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
