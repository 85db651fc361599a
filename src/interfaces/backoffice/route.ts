// A route of the back office as data. The server registers the table, and the web app imports its types, so both agree on
// every field without generated code. `api.ts` files must import nothing but TypeBox and shared schemas.
import type { Static, TSchema } from 'typebox'
import type { Caller } from './caller.ts'
import type { Permission } from './permissions.ts'

/** Method and path below /backoffice/api, as in `GET /orders/:tradeNo`. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

export type Route = {
  /**
   * The permission it needs. `signed-in`: everybody with a session. `password-given`: also a session that still lacks its
   * second factor. `public`: also without a session, which is then not looked up.
   */
  readonly access: Permission | 'signed-in' | 'password-given' | 'public'
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Fields that it does not name are left out. `file`: the handler returns a download. */
  readonly reply: TSchema | 'file'
  /**
   * Asks for the second factor again, unless it was given within five minutes. `unless-dry-run`: not for a body with `dryRun`,
   * which changes nothing.
   */
  readonly dangerous?: true | 'unless-dry-run'
  /** The largest body in bytes, if it is not the usual one. */
  readonly bodyLimit?: number
}

export type Routes = Readonly<Record<RouteName, Route>>

/** A file that the browser saves. */
export type Download = {
  readonly name: string
  readonly type: string
  readonly content: AsyncIterable<string | Buffer>
}

type Part<R, K extends keyof Route> =
  R extends Readonly<Record<K, infer S extends TSchema>> ? Static<S> : undefined

/** What a handler gets. */
export type Call<R extends Route> = {
  readonly caller: R['access'] extends 'public' ? undefined : Caller
  readonly params: Part<R, 'params'>
  readonly query: Part<R, 'query'>
  readonly body: Part<R, 'body'>
  readonly browser: Browser
}

export type Browser = {
  readonly address: string
  readonly agent: string
  /** Of the session cookie, whether its session counts or not. */
  readonly token: string | undefined
  /** Sets the session cookie, or removes it. */
  setSession(token: string | undefined): void
  /** Of the cookie by which a browser is known again. It opens nothing. */
  readonly device: string | undefined
  setDevice(token: string): void
}

export type ReplyOf<R extends Route> = R extends { readonly reply: 'file' } ? Download : Part<R, 'reply'>

export type Handlers<Table extends Routes> = {
  readonly [Name in keyof Table & RouteName]: (call: Call<Table[Name]>) => Promise<ReplyOf<Table[Name]>>
}

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [P in Name]?: Value }
    : { readonly [P in Name]: Value }

/** What a client sends. */
export type Input<R extends Route> = Given<'params', Part<R, 'params'>> &
  Given<'query', Part<R, 'query'>> &
  Given<'body', Part<R, 'body'>>
