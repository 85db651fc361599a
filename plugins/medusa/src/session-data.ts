// What a payment session keeps: numbers, the amount that the payer was asked for, and the page to pay it on. Medusa gives it
// to storefronts, so it holds no secrets.
import type { BigNumberInput } from '@medusajs/framework/types'
import { defaultCurrencies, MathBN, MedusaError } from '@medusajs/framework/utils'

export type AskedAmount = { readonly amount: string; readonly currency: string }

export type SessionData = AskedAmount & {
  readonly merOrderNo: string
  readonly tradeNo: string
  readonly payUrl: string
}

const PREFIX = 'payses_'

/** The gateway's order numbers have at most 32 characters, and a session's id has 33. */
export function orderNumberOf(sessionId: unknown): string {
  if (typeof sessionId === 'string' && sessionId.startsWith(PREFIX)) return sessionId.slice(PREFIX.length)
  throw invalid(`${sessionId} is not the id of a payment session.`)
}

export function sessionIdOf(merOrderNo: string): string {
  return PREFIX + merOrderNo
}

/** Undefined for a session whose page was never opened. */
export function readSessionData(
  data: Readonly<Record<string, unknown>> | undefined,
): SessionData | undefined {
  const { merOrderNo, tradeNo, payUrl, amount, currency } = data ?? {}
  const texts = { merOrderNo, tradeNo, payUrl, amount, currency }
  return isAllText(texts) ? texts : undefined
}

function isAllText<Name extends string>(fields: Record<Name, unknown>): fields is Record<Name, string> {
  return Object.values(fields).every((value) => typeof value === 'string')
}

/**
 * Medusa counts in units of the currency, with as many decimals as its taxes make. What can be charged is that amount rounded
 * half up to the currency's decimals, and the gateway writes all amounts with two.
 */
export function askedAmount(amount: BigNumberInput, currencyCode: string): AskedAmount {
  const currency = currencyCode.toUpperCase()
  const known = Object.values(defaultCurrencies).find(({ code }) => code === currency)
  const rounded = MathBN.convert(amount, known?.decimal_digits ?? 2)
  if ((rounded.decimalPlaces() ?? 0) > 2)
    throw invalid(
      `The gateway takes amounts with two decimals, but this is ${rounded.toFixed()} ${currency}.`,
    )
  return { amount: rounded.toFixed(2), currency }
}

function invalid(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.INVALID_DATA, message)
}
