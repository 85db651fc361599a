// The results of the search in groups. Pages are found in the browser, and everything else by the server.
import { useDebouncedValue } from '@mantine/hooks'
import { useLocation, useSearchParams } from 'wouter'
import type { Reply } from '../api/send.ts'
import { useCall } from '../api/use-call.ts'
import { formatMoment } from '../parts/moment.tsx'
import { formatMoney } from '../parts/money.tsx'
import { casesWords } from '../words/cases.ts'
import { developersWords } from '../words/developers.ts'
import { ordersWords } from '../words/orders.ts'
import { payoutsWords } from '../words/payouts.ts'
import { riskWords } from '../words/risk.ts'
import { shellWords } from '../words/shell.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { isOperator, useMe, useMyPages } from './me.tsx'
import { pathOf } from './page.ts'

export type Found = { readonly path: string; readonly title: string; readonly hint?: string }
export type FoundGroup = { readonly label: string; readonly found: readonly Found[] }

/** The server is queried after the person has stopped typing for this time. */
const PAUSE_MS = 250

export function useFound(text: string): readonly FoundGroup[] {
  const shell = useWords(shellWords)
  const groups = [{ label: shell.pages, found: useFoundPages(text) }, ...useFoundData(text)]
  return groups.filter(({ found }) => found.length > 0)
}

function useFoundPages(text: string): readonly Found[] {
  const shell = useWords(shellWords)
  const { language } = useLanguage()
  const wanted = text.trim().toLowerCase()
  const all = useMyPages()
    .filter(({ tab }) => tab !== false)
    .map((page) => ({
      path: pathOf(page),
      title: page.title(language),
      hint: shell.entries[page.entry],
    }))
  return all.filter(({ title, hint }) => `${title} ${hint}`.toLowerCase().includes(wanted))
}

type Group = Reply<'GET /search'>['groups'][number]
type Row = Group['rows'][number]
type StateWords = Partial<Readonly<Record<Group['kind'], Readonly<Record<string, string>>>>>

/** Returns the words for the states of each kind. The lists use the same words. */
function useStateWords(): StateWords {
  const orders = useWords(ordersWords)
  const payouts = useWords(payoutsWords)
  const cases = useWords(casesWords)
  const developers = useWords(developersWords)
  const risk = useWords(riskWords)
  return {
    orders: orders.stages,
    refunds: orders.refundStates,
    payouts: payouts.states,
    payoutRuns: payouts.runStates,
    disputes: cases.states,
    reviews: cases.reviewStates,
    notifications: developers.states,
    rules: risk.states,
  }
}

function useFoundData(text: string): readonly FoundGroup[] {
  const shell = useWords(shellWords)
  const { locale } = useLanguage()
  const words = useStateWords()
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS)
  const chosen = useMerchantOfAddress()
  const { data } = useCall('GET /search', { query: { q, ...chosen } }, { enabled: q !== '' })
  if (q === '' || data === undefined) return []
  const foundOf = (kind: Group['kind'], { path, title, note, state = '', at, money }: Row): Found => {
    const inWords = words[kind]?.[state] ?? state
    const parts = [note, inWords, at && formatMoment(at, locale), money && formatMoney(money, locale)]
    const hint = parts.filter(Boolean).join(' · ')
    return { path, title, ...(hint !== '' && { hint }) }
  }
  return data.groups.map(({ kind, rows }) => {
    return { label: shell.found[kind], found: rows.map((row) => foundOf(kind, row)) }
  })
}

function useMerchantOfAddress(): { readonly merNo?: number } {
  const isForAll = isOperator(useMe())
  const [path] = useLocation()
  const [params] = useSearchParams()
  const text = params.get('merNo') ?? /^\/merchants\/(\d+)$/.exec(path)?.[1] ?? ''
  return isForAll && /^[1-9]\d{0,9}$/.test(text) ? { merNo: Number(text) } : {}
}
