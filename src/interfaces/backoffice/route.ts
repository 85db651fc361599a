// The routes of the back office are a table. The server registers the table, and the web app imports the table's types.
// Therefore both agree on every field without generated code. Apart from types, an `api.ts` file imports only TypeBox,
// schemas, and lists of the domain such as the terms of fee plans.
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../../people/roles/caller.ts'
import type { Permission } from '../../people/roles/permissions.ts'
import type { Browser } from '../../people/sessions/begin-session.ts'

/** A method and a path below /backoffice/api, such as `GET /orders/:tradeNo`. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

export type Route = {
  /**
   * The permission that a caller needs. `signed-in` admits everybody with a complete session. `password-given` also
   * admits sessions that still lack the second factor. `public` admits everybody without looking up a session.
   */
  readonly access: Permission | 'signed-in' | 'password-given' | 'public'
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /**
   * The schema of the reply. Fields that the schema does not list are removed. With `file`, the reply is a download.
   */
  readonly reply: TSchema | 'file'
  /**
   * If set, the caller must have given the second factor within the last five minutes. With `unless-dry-run`, a call
   * with `dryRun` does not require the factor, because it changes nothing.
   */
  readonly dangerous?: true | 'unless-dry-run'
  readonly bodyLimit?: number
}

export type Routes = Readonly<Record<RouteName, Route>>

export type Download = {
  readonly name: string
  readonly type: string
  readonly content: AsyncIterable<string | Buffer>
}

type Part<R, K extends keyof Route> =
  R extends Readonly<Record<K, infer S extends TSchema>> ? Static<S> : undefined

export type Call<R extends Route> = {
  readonly caller: R['access'] extends 'public' ? undefined : Caller
  readonly params: Part<R, 'params'>
  readonly query: Part<R, 'query'>
  readonly body: Part<R, 'body'>
  readonly browser: Browser
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

export type Input<R extends Route> = Given<'params', Part<R, 'params'>> &
  Given<'query', Part<R, 'query'>> &
  Given<'body', Part<R, 'body'>>
