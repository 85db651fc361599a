// A payer's browser without scripts: opens pages, submits forms and follows redirects.

export type Page = {
  readonly url: string
  readonly status: number
  readonly html: string
  /** The statuses of the redirects that led to this page. */
  readonly redirections: readonly number[]
}

const entities: Readonly<Record<string, string>> = { '&#34;': '"', '&#38;': '&', '&#39;': "'", '&#60;': '<' }

/**
 * Opens a page. `referer` is the previous page, if its policy allows a Referer. `signal` ends the visit, redirects
 * included.
 */
export async function openPage(
  url: string,
  form?: Readonly<Record<string, string>>,
  referer?: string,
  signal?: AbortSignal,
): Promise<Page> {
  const redirections: number[] = []
  let response = await send(url, form, referer, signal)
  while (response.status >= 300 && response.status < 400) {
    redirections.push(response.status)
    const location = new URL(response.headers.get('location') ?? '', response.url).href
    response = await send(location, undefined, undefined, signal)
  }
  return { url: response.url, status: response.status, html: await response.text(), redirections }
}

function send(
  url: string,
  form?: Readonly<Record<string, string>>,
  referer?: string,
  signal?: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = referer === undefined ? {} : { referer }
  const common = { redirect: 'manual', ...(signal !== undefined && { signal }) } as const
  if (form === undefined) return fetch(url, { ...common, headers })
  return fetch(url, { ...common, method: 'POST', body: new URLSearchParams(form) })
}

export type Form = { readonly action: string; readonly fields: Readonly<Record<string, string>> }

/** Returns the page's form with its hidden fields. */
export function formOn(page: Page): Form {
  const action = attribute(/<form [^>]*action="([^"]*)"/, page)
  const hidden = page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  const fields = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, plain(value)]))
  return { action: new URL(action, page.url).href, fields }
}

export function submit(
  page: Page,
  entered: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Page> {
  const { action, fields } = formOn(page)
  return openPage(action, { ...fields, ...entered }, undefined, signal)
}

/** Returns the address that the page's button leads to. */
export function linkOn(page: Page): URL {
  return new URL(attribute(/<a [^>]*href="([^"]*)"/, page))
}

function attribute(pattern: RegExp, page: Page): string {
  const [, value] = pattern.exec(page.html) ?? []
  if (value === undefined) throw new Error(`${page.url} (${page.status}) has no ${pattern}:\n${page.html}`)
  return plain(value)
}

function plain(html: string): string {
  return html.replace(/&#\d\d;/g, (entity) => entities[entity] ?? entity)
}
