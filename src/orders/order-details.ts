// The fields that an order came with, beyond those that have a column of their own.

import { isObject } from '../base/object.ts'
import type { Vault } from '../base/secret.ts'
import type { Queryable } from '../postgres/db.ts'

export type Details = Readonly<Record<string, unknown>>

type Key = { readonly merNo: number; readonly tradeNo: string }

/** What was stored as it was sent, and the personal numbers, opened. */
export async function readWholeDetails(
  { db, vault }: { readonly db: Queryable; readonly vault: Vault },
  key: Key,
): Promise<{ readonly details: Details; readonly personal: Details }> {
  const row = await selectDetails(db, key)
  const sealed = row?.sealed ?? undefined
  const personal = sealed && vault.open(sealed, sealContext(key.tradeNo))
  return { details: readObject(row?.details), personal: readObject(personal) }
}

function readObject(text = '{}'): Details {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}

async function selectDetails(db: Queryable, { merNo, tradeNo }: Key) {
  const [row] = await db.query<{ details: string; sealed: Buffer | null }>({
    name: 'payments.details',
    text: 'select details, sealed from order_details where mer_no = $1 and trade_no = $2',
    values: [merNo, tradeNo],
  })
  return row
}

/** Undefined when there is nothing to hide. */
export function sealPersonal(vault: Vault, tradeNo: string, personal: Details): Buffer | undefined {
  if (Object.keys(personal).length === 0) return undefined
  return vault.seal(JSON.stringify(personal), sealContext(tradeNo))
}

function sealContext(tradeNo: string): string {
  return `order:${tradeNo}`
}
