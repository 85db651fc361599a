// The keys that work on every page, except in fields and dialogs: `/`, `?`, and `g` followed by the key of a navigation
// entry.
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useMyEntries } from './navigation.tsx'

type Actions = { search(): void; help(): void }

/** The second key of a sequence must follow within this time. */
const SEQUENCE_MS = 1_500

export function useShortcuts(actions: Actions): void {
  const [, goTo] = useLocation()
  const mine = useMyEntries()
  const beganAt = useRef(-Infinity)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isSecond = event.timeStamp - beganAt.current < SEQUENCE_MS
      beganAt.current = event.key === 'g' && !isSecond ? event.timeStamp : -Infinity
      const entry = isSecond ? mine.find(({ key }) => key === event.key) : undefined
      if (entry !== undefined) goTo(entry.path)
      else if (event.key === '/') actions.search()
      else if (event.key === '?') actions.help()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

const TYPED =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]'

/**
 * True while the focus is in a field or a dialog, because their own use of keys comes first. A checkbox does not count,
 * because it uses only the space bar.
 */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED) !== null
}
