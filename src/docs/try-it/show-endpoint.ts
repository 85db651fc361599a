// The page of an endpoint with its form, before and after a try.
import { type Form, formOf } from '../../pages/form.ts'
import { rootFrom, type Values } from '../article.ts'
import type { Site } from '../site.ts'
import type { DemoMerchant } from '../values.ts'
import { FIELD, type Filled, type FormState, isMadeNumber, tryForm } from './form.ts'
import { resultOf } from './result.ts'
import { type Sender, sendRequest } from './send-request.ts'
import { type Target, targetOf } from './target.ts'

/** What a link to a form may fill in. */
const fillable: readonly string[] = ['merOrderNo', 'tradeNo', 'refundNo', 'merRefundNo']
const LONGEST_FILLED = 64

/** Undefined for a page that is no endpoint's. */
export function showEndpoint(site: Site, path: string, query: unknown, values: Values): string | undefined {
  const asked = formOf(query)
  const target = targetOf(path.replace(/^reference/, ''), asked.example)
  if (target === undefined) return undefined
  const filled = Object.entries(asked).filter(([name]) => fillable.includes(name))
  const state = {
    filled: Object.fromEntries(filled.map(([name, value]) => [name, value.slice(0, LONGEST_FILLED)])),
    isOpen: asked.example !== undefined || filled.length > 0,
  }
  return pageWith(site, target, values, state)
}

export type Try = { readonly form: Form; readonly merchant: DemoMerchant; readonly send: Sender }

/** `path`: of the endpoint. Undefined if there is no such endpoint. */
export async function showTry(
  site: Site,
  path: string,
  values: Values,
  { form, merchant, send }: Try,
): Promise<string | undefined> {
  const target = targetOf(path, form.example)
  if (target === undefined) return undefined
  const tried = await sendRequest(target, form, merchant, send)
  const result = resultOf(tried, rootFrom(`try${path}`), values.baseUrl)
  return pageWith(site, target, values, { filled: enteredIn(form), result, isOpen: true })
}

function pageWith(site: Site, target: Target, values: Values, state: FormState): string | undefined {
  const path = `reference${target.path}`
  return site.withForm(path, values, tryForm(target, values, rootFrom(path), state))
}

/** What the reader has entered stays in the form, but numbers that the form made are used up. */
function enteredIn(form: Form): Filled {
  const fields = Object.entries(form).filter(
    ([name, value]) => name.startsWith(FIELD) && !isMadeNumber(value),
  )
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(FIELD.length), value]))
}
