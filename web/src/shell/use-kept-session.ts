// The session of the open pages. When the session ends, the pages keep their typed text, and a dialog above them asks
// the person to sign in again.
import { useEffect, useState } from 'react'
import { ask } from '../api/session-gate.ts'
import type { Session, SignedIn } from './me.tsx'

/** Returns the session of the open pages. Undefined until somebody has signed in. */
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
    // If the person closes the dialog, the next call to the API opens it again.
    if (isLost) void ask('sign-in').then(read, () => undefined)
  }, [isLost])
  return kept
}

function isSame(one: Session | undefined, other: Session): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
