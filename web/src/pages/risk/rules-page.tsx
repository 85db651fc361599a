import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'
import { RuleForm } from './rule-form.tsx'
import { RulePanel, RuleState } from './rule-panel.tsx'

const PATH = '/risk/rules'

export function RulesPage() {
  const risk = useWords(riskWords)
  const may = useMay()
  const { ruleId } = useParams<{ ruleId?: string }>()
  const found = useCall('GET /risk/rules', {})
  const [isWriting, setIsWriting] = useState(false)
  return (
    <PageFrame
      title={risk.rules}
      hint={risk.rulesHint}
      actions={may('risk.edit') && <Button onClick={() => setIsWriting(true)}>{risk.newRule}</Button>}
    >
      <Loaded query={found} lines={8}>
        {({ rules }) =>
          rules.length === 0 ? (
            <EmptyState title={risk.noRules} hint={risk.noRulesHint} />
          ) : (
            <PlainTable label={risk.rules}>
              <thead>
                <tr>
                  <th scope="col">{risk.name}</th>
                  <th scope="col">{risk.state}</th>
                  <th scope="col">{risk.action}</th>
                  <th scope="col" className="wide-only">
                    {risk.merchant}
                  </th>
                  <th scope="col" className="at-end wide-only">
                    {risk.hitsIn30}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rules.map((rule) => (
                  <tr key={rule.ruleId} data-open={rule.ruleId === ruleId}>
                    <td>
                      <Link className="row-link" href={`${PATH}/${rule.ruleId}`}>
                        {rule.name}
                      </Link>
                    </td>
                    <td>
                      <RuleState rule={rule} />
                    </td>
                    <td>{risk.actions[rule.action]}</td>
                    <td className="wide-only">{rule.merNo === 0 ? risk.everyMerchant : rule.merNo}</td>
                    <td className="at-end wide-only">{rule.hits}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          )
        }
      </Loaded>
      {isWriting && <RuleForm close={() => setIsWriting(false)} />}
      {ruleId !== undefined && <RulePanel ruleId={ruleId} back={PATH} />}
    </PageFrame>
  )
}
