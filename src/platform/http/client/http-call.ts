// A request to a counterparty, and its result.

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export type HttpReply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      readonly text: string
    }
  | Unanswered

export type Unanswered =
  /** The counterparty certainly did not read the request. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The counterparty may have acted on the request. */
  | { readonly kind: 'silent'; readonly why: string }

export type HttpClient = (request: HttpRequest) => Promise<HttpReply>

export type ClientTls = { readonly cert?: string; readonly key?: string; readonly ca?: string }
