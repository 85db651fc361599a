// Stripe's lists: newest first, a hundred objects to a page.
import type { Fields } from '../../base/object.ts'
import type { Unknown } from '../contract.ts'
import type { FormFields } from './form.ts'
import type { StripeApi } from './stripe-api.ts'
import { listIn, unknown, whyUnknown } from './wire.ts'

const PAGE = '100'
const MAX_PAGES = 20

/** All of it, or unknown: a part proves nothing about what is missing. */
export async function listPages(
  api: Pick<StripeApi, 'get'>,
  path: string,
  query: FormFields,
  signal: AbortSignal,
  maxPages = MAX_PAGES,
): Promise<readonly Fields[] | Unknown> {
  const all: Fields[] = []
  for (let page = 0; page < maxPages; page++) {
    const last = all.at(-1)?.id
    const after = typeof last === 'string' ? { starting_after: last } : {}
    const reply = await api.get(path, { ...query, limit: PAGE, ...after }, signal)
    const read = listIn(reply)
    if (read === undefined) return whyUnknown(reply)
    all.push(...read.list)
    if (!read.hasMore) return all
  }
  return unknown(`Stripe's list has more than ${all.length} objects: look in Stripe's dashboard`)
}

/** In seconds since 1970. */
export function createdFrom(since: Date): FormFields {
  return { created: { gte: String(Math.max(Math.floor(since.getTime() / 1000), 0)) } }
}
