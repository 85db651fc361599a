// A few items of the reference lists, for tests without a database.
import { createReference } from '../../src/platform/reference/reference.ts'

const item = (list: string, code: string, name: string, bic = '') => {
  return { list, version: 1, code, name, bic, listed: true }
}

export const aReference = createReference([
  item('banks/per', '02', 'interbank'),
  item('banks/spei', '40012', 'BBVA MEXICO'),
  item('banks/spei', '90646', 'STP'),
  item('banks/vietnam', '970436', 'Vietcombank', 'BFTVVNVX'),
  item('banks/vietnam', '970407', 'Techcombank', 'VTCBVNVX'),
  item('dispute-reasons', '4853', 'not as described'),
])
