// Calls that lack a session or a recent second factor wait here. A dialog opens over the page, which stays unchanged.
// After the person has signed in, the calls are repeated.
import { useSyncExternalStore } from 'react'
import { Refusal } from './refusal.ts'

export type Need = 'sign-in' | 'factor'

type Pending = {
  readonly need: Need
  readonly done: Promise<void>
  resolve(): void
  reject(reason: Refusal): void
}

let pending: Pending | undefined
let signIns = 0
const listeners = new Set<() => void>()

/** Resolves when the person has signed in or has given the factor. All waiting calls share one dialog. */
export function ask(need: Need): Promise<void> {
  if (pending === undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    change({ need, done: promise, resolve, reject })
  }
  return pending?.done ?? Promise.resolve()
}

/**
 * Returns how often the person has signed in or given the factor so far. If the number has grown since a call began,
 * the call may have used an old session.
 */
export function signInCount(): number {
  return signIns
}

export function satisfy(): void {
  signIns++
  pending?.resolve()
  change(undefined)
}

export function decline(): void {
  pending?.reject(new Refusal('factor-needed', 'This was not confirmed.'))
  change(undefined)
}

export function useNeed(): Need | undefined {
  return useSyncExternalStore(subscribe, () => pending?.need)
}

function change(next: Pending | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
