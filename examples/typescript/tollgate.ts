// The client that the other samples use. It signs each request, and sends the Referer that payments and payouts need.
import { Tollgate } from '@tollgate/sdk'

const { TOLLGATE_URL = '', TOLLGATE_MERNO, TOLLGATE_KEY = '', TOLLGATE_SITE = '' } = process.env

export const tollgate = new Tollgate({
  baseUrl: TOLLGATE_URL,
  merNo: Number(TOLLGATE_MERNO),
  key: TOLLGATE_KEY,
  site: TOLLGATE_SITE,
})
