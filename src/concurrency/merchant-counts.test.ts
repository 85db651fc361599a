import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { MerchantCounts } from './merchant-counts.ts'

it('knows the total and the largest count after any changes', () => {
  const change = fc.record({ merNo: fc.integer({ min: 1, max: 4 }), isMore: fc.boolean() })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const counts = new MerchantCounts()
      const model = new Map<number, number>()
      for (const { merNo, isMore } of changes) {
        const own = model.get(merNo) ?? 0
        if (!isMore && own === 0) continue
        if (isMore) counts.add(merNo)
        else counts.remove(merNo)
        model.set(merNo, own + (isMore ? 1 : -1))
        const values = [...model.values()]
        assert.equal(counts.of(merNo), model.get(merNo))
        assert.equal(
          counts.total,
          values.reduce((sum, one) => sum + one, 0),
        )
        assert.equal(counts.largest, Math.max(...values))
      }
    }),
  )
})
