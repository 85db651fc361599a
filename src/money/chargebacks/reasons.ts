// The reasons of chargebacks, from a reference list that operators maintain, and the kind of dispute of each reason.
import type { Queryable } from '../../platform/postgres/db.ts'
import { findItem, readReference } from '../../platform/reference/reference.ts'

const LIST = 'dispute-reasons'

/** Returns the reason in words, or undefined if a new chargeback may not have this reason. */
export async function listedReason(db: Queryable, code: string): Promise<string | undefined> {
  const found = await findItem(db, LIST, code)
  return found?.listed === true ? found.name : undefined
}

/** Returns the reason of an existing chargeback in words, even if operators have removed the reason from the list. */
export async function reasonInWords(db: Queryable, code: string): Promise<string> {
  return (await findItem(db, LIST, code))?.name ?? code
}

/** Reads the list once. The returned function gives a reason in words, for each chargeback of a page. */
export async function readReasons(db: Queryable): Promise<(code: string) => string> {
  const reference = await readReference(db)
  return (code) => reference.find(LIST, code)?.name ?? code
}

/** Returns all reasons that a new chargeback may have. */
export async function listReasons(db: Queryable): Promise<{ code: string; words: string }[]> {
  const reference = await readReference(db)
  return reference.items(LIST).map(({ code, name }) => ({ code, words: name }))
}

/** The kinds of dispute. The evidence that a bank expects depends on the kind. */
export const disputeCategories = [
  'fraud',
  'not-received',
  'not-as-described',
  'duplicate',
  'credit',
  'recurring',
  'processing',
  'general',
] as const

export type DisputeCategory = (typeof disputeCategories)[number]

/** Reason codes of Visa, Mastercard, American Express and Discover, and words that some gateways use instead. */
const codesOf: readonly (readonly [Exclude<DisputeCategory, 'general'>, RegExp])[] = [
  [
    'fraud',
    /^(0*10|10\.\d|0*546|4837|4840|4849|4863|487[01]|C42|D70|F\d\d|UA\d\d|fraudulent|unrecognized)$/i,
  ],
  ['not-received', /^(4855|13\.1|C08|D62|RG|product_not_received)$/i],
  ['not-as-described', /^(4853|13\.[345]|C3[12]|RM|product_unacceptable)$/i],
  ['duplicate', /^(4834|12\.6(\.\d)?|P08|C14|DP|duplicate)$/i],
  ['credit', /^(4860|13\.[67]|C0[2457]|RN2?|credit_not_processed)$/i],
  ['recurring', /^(4841|13\.2|C28|AP|subscription_canceled)$/i],
  ['processing', /^(0*12|12\.[1-57]|11\.\d|4807|4808|4812|4831|4842|4846|A0[128]|P\d\d|AT|NA|LP)$/i],
]

/** Returns the kind of dispute of a reason code, or `general` for any other code. */
export function categoryOf(code: string): DisputeCategory {
  return codesOf.find(([, codes]) => codes.test(code))?.[0] ?? 'general'
}
