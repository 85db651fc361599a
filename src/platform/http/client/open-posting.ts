import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { type Posting, plainPosting } from './posting.ts'
import { rawPosting } from './raw/raw-posting.ts'

export type PostingOptions = {
  /** True to use the fast path in src/platform/http/client/raw/. */
  readonly raw: boolean
  /** Replaces the certificate authorities of the system in tests. */
  readonly ca?: string | undefined
  /** The pause between the pieces of a body, to test the receiver. The fast path ignores it. */
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
