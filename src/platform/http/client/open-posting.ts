import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { plainPosting } from './plain-posting.ts'
import type { Posting } from './posting.ts'
import { rawPosting } from './raw/raw-posting.ts'

export type PostingOptions = {
  /** The fast path: src/http/client/raw/. */
  readonly raw: boolean
  /** For tests: replaces the system's certificate authorities. */
  readonly ca?: string | undefined
  /** Sends bodies in pieces with this pause, to test the other side; not by the fast path. */
  readonly pauseMs?: number | undefined
}

export function openPosting(guard: AddressGuard, { raw, ca, pauseMs }: PostingOptions): Posting {
  const posting = raw ? rawPosting(guard, ca) : plainPosting(guard, ca, pauseMs)
  return {
    ...posting,
    post(post) {
      const refusal = guard.refusal(post.url)
      if (refusal !== undefined) throw new AddressRefused(refusal)
      return posting.post(post)
    },
  }
}
