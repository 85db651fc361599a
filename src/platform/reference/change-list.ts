// Operators change the reference lists. Each change raises the list's version and is announced to every node. A removed
// item stays in the table, because older orders and chargebacks name the item.
import { isBic } from '../base/iban.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { type Item, isNeeded, type ListName, traitsOf } from './list.ts'
import { findItem } from './reference.ts'
import { lockList, markRemoved, raiseVersion, saveItem } from './sql.ts'

/** The maximum number of items, because every node has all items of a list in memory. */
const MOST_ITEMS = 2_000
const NAME_LENGTH = 100

export type Change = { readonly list: ListName; readonly item: Item; readonly at: Date }

export function addItem(db: Db, { list, item, at }: Change): Promise<number> {
  return db.transaction(async (tx) => {
    const count = await lockList(tx, list)
    const read = readItem(list, item)
    if ((await findItem(tx, list, read.code))?.listed === true)
      throw new OperatorRefusal(`${list} already has ${read.code}: change it instead`, 'code')
    if (count >= MOST_ITEMS)
      throw new OperatorRefusal(`${list} is full: it holds ${MOST_ITEMS} items at most`)
    await saveItem(tx, list, read)
    return raiseVersion(tx, list, at)
  })
}

export function changeItem(db: Db, { list, item, at }: Change): Promise<number> {
  return db.transaction(async (tx) => {
    await lockListed(tx, list, item.code)
    await saveItem(tx, list, readItem(list, item))
    return raiseVersion(tx, list, at)
  })
}

type Removal = { readonly list: ListName; readonly code: string; readonly at: Date }

export function removeItem(db: Db, { list, code, at }: Removal): Promise<number> {
  return db.transaction(async (tx) => {
    await lockListed(tx, list, code)
    if (isNeeded(list, code))
      throw new OperatorRefusal(`${code} cannot be removed: disputes without a listed reason get it`)
    await markRemoved(tx, list, code, at)
    return raiseVersion(tx, list, at)
  })
}

/** Locks the list and returns the stored item. An unknown item has empty values. */
export async function lookAtItem(tx: Tx, list: ListName, code: string) {
  await lockList(tx, list)
  const { name = '', bic = '', listed = false } = (await findItem(tx, list, code)) ?? {}
  return { name, bic, listed }
}

async function lockListed(tx: Tx, list: ListName, code: string): Promise<void> {
  await lockList(tx, list)
  if ((await findItem(tx, list, code))?.listed !== true) throw new OperatorRefusal(`${list} has no ${code}`)
}

function itemProblem(list: ListName, { code, name, bic }: Item): ItemProblem | undefined {
  const { codes, codeRule, hasBic } = traitsOf(list)
  if (!codes.test(code)) return { field: 'code', why: `a code of ${list} ${codeRule}` }
  const { length } = [...name.trim()]
  if (length === 0 || length > NAME_LENGTH || /\p{Cc}|\p{Cs}/u.test(name))
    return { field: 'name', why: `a name has 1 to ${NAME_LENGTH} characters and no control characters` }
  if (bic !== '' && !hasBic) return { field: 'bic', why: `${list} has no BICs: leave it out` }
  if (bic !== '' && !isBic(bic)) return { field: 'bic', why: 'a BIC has 8 or 11 characters, as in BFTVVNVX' }
  return undefined
}

type ItemProblem = { readonly field: 'code' | 'name' | 'bic'; readonly why: string }

function readItem(list: ListName, item: Item): Item {
  const problem = itemProblem(list, item)
  if (problem !== undefined) throw new OperatorRefusal(problem.why, problem.field)
  return { ...item, name: item.name.trim() }
}
