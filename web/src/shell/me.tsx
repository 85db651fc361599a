// The signed-in person, and the pages that this person may see.
import { createContext, useContext } from 'react'
import type { Permission } from '../../../src/people/roles/permissions.ts'
import type { Reply } from '../api/send.ts'
import type { Page } from './page.ts'

export type Session = Reply<'GET /session'>
export type Me = NonNullable<Session['me']>
export type SignedIn = Session & { readonly me: Me }

/** True for operators, who belong to merchant 0. */
export function isOperator({ merNo }: Me): boolean {
  return merNo === 0
}

const Context = createContext<SignedIn | undefined>(undefined)

export const SessionProvider = Context.Provider

export function useSession(): SignedIn {
  const session = useContext(Context)
  if (session === undefined) throw new Error('used outside of a session')
  return session
}

export function useMe(): Me {
  return useSession().me
}

/** Returns a function that decides whether a button is shown. The server checks the permission as well. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useMe()
  return (permission) => permissions.includes(permission)
}

export function maySee(me: Me, { needs, only }: Page): boolean {
  if (only !== undefined && (only === 'operator') !== isOperator(me)) return false
  return needs === 'signed-in' || me.permissions.includes(needs)
}

/**
 * All pages of the app, passed by context. An import would be circular, because the table of pages imports the pages,
 * and the pages import this file.
 */
const AllPages = createContext<readonly Page[]>([])

export const PagesProvider = AllPages.Provider

export function useMyPages(): readonly Page[] {
  const me = useMe()
  return useContext(AllPages).filter((page) => maySee(me, page))
}
