import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { MerchantCounts } from './merchant-counts.ts'

it('knows the total and the largest count after any changes', () => {
  const kind = fc.constantFrom('more', 'more', 'fewer', 'half')
  const change = fc.record({ merNo: fc.integer({ min: 1, max: 4 }), kind })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const counts = new MerchantCounts()
      const model = new Map<number, number>()
      for (const { merNo, kind } of changes) {
        const own = model.get(merNo) ?? 0
        if (kind === 'more') {
          counts.add(merNo)
          model.set(merNo, own + 1)
        } else if (kind === 'half') {
          counts.halve()
          for (const [one, count] of model) model.set(one, Math.floor(count / 2))
        } else if (own > 0) {
          counts.remove(merNo)
          model.set(merNo, own - 1)
        }
        const values = [...model.values()]
        assert.equal(counts.of(merNo), model.get(merNo) ?? 0)
        assert.equal(
          counts.total,
          values.reduce((sum, one) => sum + one, 0),
        )
        assert.equal(counts.largest, Math.max(0, ...values))
      }
    }),
  )
})
