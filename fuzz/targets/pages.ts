// The pages of payers and beneficiaries: forms, query strings, cookies and the browser's headers.
import type { Random } from '../../test/harness/random.ts'
import { problemOf } from '../checks/answers.ts'
import { sendAlone } from '../http.ts'
import type { Input, Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import { mutateHead } from '../mutations/head.ts'
import { mutateParts } from '../mutations/mutate.ts'
import { mutatePairs } from '../mutations/pairs.ts'
import { fill } from '../template.ts'
import type { World } from '../world.ts'

const card = 'method=card&attempt=0&cardNo=4242424242424242&cardExpiry=12%2F30&cardSecurityCode=123'
const billing =
  'billingFirstName=Test&billingLastName=Payer&billingEmail=payer%40shop.example&billingCountry=PE&billingZipCode=15046'
const account = 'kind=pix&account=12ABC34501DE35'

const seeds: readonly Input[] = [
  page('GET', '{{pay_link}}'),
  page('GET', '{{pay_link}}', 'back=1&stale=1'),
  page('POST', '{{pay_link}}/pay', '', `${card}&${billing}`),
  page('POST', '{{pay_link}}/pay', '', 'method=alipay&attempt=0'),
  page(
    'POST',
    '{{pay_link}}/pay',
    '',
    'method=pix&attempt=0&name=Maria&email=m%40x.example&socialSecurityNumber=52998224725',
  ),
  page('POST', '{{pay_link}}/pay', '', 'method=crypto&attempt=0&coin=USDC&network=POLYGON'),
  page('POST', '{{pay_link}}/switch'),
  page('GET', '{{pay_link}}/complete', 'id=1&trade_no=2&out_trade_no=3'),
  page('POST', '{{pay_link}}/complete', '', 'cres=eyJ0cmFuc1N0YXR1cyI6IlkifQ&threeDSSessionData=x'),
  page('GET', '{{pay_link}}/status'),
  page('GET', '{{pay_link}}/logo'),
  page('GET', '{{payout_link}}', 'kind=spei'),
  page('POST', '{{payout_link}}/check', '', account),
  page(
    'POST',
    '{{payout_link}}',
    '',
    'kind=bank_account&account=DE89370400440532013000&city=Lima&countryCode=PE',
  ),
  page('GET', '/'),
  page('GET', '/assets/pay.css', 'v=1'),
  page('GET', '/healthz'),
  page('POST', '{{pay_link}}/cancel'),
]

function page(verb: string, path: string, query = '', form = ''): Input {
  const head = [
    `${verb} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    'user-agent: Mozilla/5.0 (Linux; Android 16; Pixel 9) Mobile Safari/537.36',
    'accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'accept-language: fr-CA,fr;q=0.8,en;q=0.5',
    'cookie: {{cookies}}',
    'sec-fetch-site: same-origin',
  ]
  const more =
    verb === 'GET' ? [] : ['content-type: application/x-www-form-urlencoded', 'content-length: {{length}}']
  return { head: [...head, ...more].join('\r\n'), query, form, cookies: 'session=abc; theme=dark' }
}

export async function openPages(world: World, orders: KnownOrders): Promise<Target> {
  const mutateForm = mutateParts(['form'])
  return {
    name: 'pages',
    runsIn: 'gateway',
    atOnce: 48,
    batch: 256,
    seeds,
    mutate: (input, random, other) => change(input, random, other, mutateForm),
    async run(input) {
      const answer = await sendAlone(world.port, pageBytes(orders, input))
      // 404: the demo merchant has no logo. 422: a form with problems is answered by a page that names them.
      const accepted = [200, 303, 404, 422].includes(answer.statuses.at(-1) ?? 0)
      return { accepted, problem: problemOf(answer), answer: answer.text.slice(0, 2_000) }
    },
  }
}

function change(input: Input, random: Random, other: Input, mutateForm: Target['mutate']): Input {
  const way = random.below(8)
  if (way < 4) return mutateForm(input, random, other)
  if (way === 4) return { ...input, query: mutatePairs(input.query ?? '', random, other.form ?? '') }
  if (way === 5) return { ...input, cookies: mutatePairs(input.cookies ?? '', random, other.form ?? '') }
  return { ...input, head: mutateHead(input.head ?? '', random, other.head ?? '') }
}

function pageBytes(orders: KnownOrders, { head = '', query = '', form = '', cookies = '' }: Input): Buffer {
  const marks = orders.marks()
  const body = Buffer.from(fill(form, marks))
  const first = query === '' ? head : head.replace(/ HTTP\/1\.1/, `?${query} HTTP/1.1`)
  const filled = fill(first, (name) => {
    if (name === 'length') return String(body.length)
    return name === 'cookies' ? cookies : marks(name)
  })
  return Buffer.concat([Buffer.from(`${filled}\r\n\r\n`), body])
}
