// The session of the pages that are open. One that ends later does not take them away: a dialog over them asks to sign in
// again, and what was typed stays.
import { useEffect, useState } from 'react'
import { ask } from '../api/session-gate.ts'
import type { Session, SignedIn } from './me.tsx'

/** Undefined until somebody has signed in. `read` reads the session anew. */
export function useKeptSession(
  session: Session | undefined,
  read: () => Promise<unknown>,
): SignedIn | undefined {
  const [kept, setKept] = useState<SignedIn>()
  const me = session?.next === 'done' ? session.me : undefined
  const isLost = kept !== undefined && session !== undefined && me === undefined
  if (session !== undefined && me !== undefined && !isSame(kept, session)) setKept({ ...session, me })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks once for each lost session
  useEffect(() => {
    // Whoever closes the dialog is asked again by the next call.
    if (isLost) void ask('sign-in').then(read, () => undefined)
  }, [isLost])
  return kept
}

function isSame(one: Session | undefined, other: Session): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
