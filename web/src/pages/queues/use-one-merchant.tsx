// The filter of a queue by merchant. A queue contains the work of all merchants, unless the page's address has a
// merchant number.
import { FilterBar } from '../../parts/filter-bar.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { decideWords } from '../../words/decide.ts'
import { useWords } from '../../words/use-words.tsx'

export function useOneMerchant() {
  const decide = useWords(decideWords)
  const filters = useFilters(['merNo'])
  const { merNo } = filters.values
  return {
    query: merNo === undefined ? {} : { merNo: Number(merNo) },
    isEmpty: filters.isEmpty,
    bar: <FilterBar filters={filters} of={[{ kind: 'merchant', name: 'merNo', label: decide.merchant }]} />,
  }
}
