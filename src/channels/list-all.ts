import type { ChannelRecord, ChannelStore } from './store.ts'

const PAGE = 1_000

/** All records of a kind, after a key. */
export async function listAll(store: ChannelStore, kind: string, after = ''): Promise<ChannelRecord[]> {
  const all: ChannelRecord[] = []
  for (let last = after; ; ) {
    const page = await store.list(kind, { after: last, limit: PAGE })
    all.push(...page)
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) return all
    last = end.key
  }
}
