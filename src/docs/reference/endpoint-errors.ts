// The codes that an endpoint can respond with, in the order of the checks. A test holds that every code of the catalogue is a
// code of some endpoint.
import { type Code, catalogue } from '../../errors/catalogue.ts'
import type { Endpoint } from '../../merchant-api/endpoints.ts'

const limits: readonly Code[] = ['10020', '10021', '10022', '10023', '10024', '10025', '10016', '10017']

/** After the checks that all endpoints share. */
const ownCodes: Readonly<Record<Endpoint['does'], readonly Code[]>> = {
  pay: [
    ...(['10018', '10003', '10009', '10010', '10019', '10014', '10011', '10012', '10013'] as const),
    ...limits,
    ...(['99995', '99998'] as const),
  ],
  payout: [
    ...(['10018', '10003', '10009', '10105', '10013', '10019', '10014'] as const),
    ...limits,
    ...(['10104', '99998'] as const),
  ],
  refund: ['10026', '10009', '10003', '10103', '10102', '10101', '10104'],
  query: ['10026', '10019', '10014', '10108'],
  review: ['10106', '10026', '10102'],
}

export function errorsOf({ does, checksReferer, chosenBy }: Endpoint): { code: Code; message: string }[] {
  const codes: readonly Code[] = [
    ...(['99996', '10002', '10004', '10005'] as const),
    ...(checksReferer ? (['10006', '10007', '10008'] as const) : []),
    ...(['10015', '10107', '10109'] as const),
    ...(chosenBy === undefined ? [] : (['10000', '10001'] as const)),
    '99997',
    ...ownCodes[does],
    '99999',
  ]
  return codes.map((code) => ({ code, message: catalogue[code] }))
}
