import { Button, Checkbox, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { partsWords } from '../../words/parts.ts'
import { riskWords } from '../../words/risk.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly tradeNo: string; readonly close: () => void }
type Names = Reply<'GET /risk/orders/:tradeNo'>['names']

export function BlockButton({ tradeNo }: { readonly tradeNo: string }) {
  const risk = useWords(riskWords)
  const may = useMay()
  const [isOpen, setIsOpen] = useState(false)
  if (!may('risk.edit')) return null
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {risk.blockPayer}
      </Button>
      {isOpen && <BlockDialog tradeNo={tradeNo} close={() => setIsOpen(false)} />}
    </>
  )
}

function BlockDialog(props: Props) {
  const risk = useWords(riskWords)
  const parts = useWords(partsWords)
  const found = useCall('GET /risk/orders/:tradeNo', { params: { tradeNo: props.tradeNo } })
  return (
    <Modal
      opened
      onClose={props.close}
      title={risk.blockPayer}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <Loaded query={found} lines={4}>
        {({ names }) =>
          names.length === 0 ? <Text>{risk.nothingToBlock}</Text> : <BlockForm {...props} names={names} />
        }
      </Loaded>
    </Modal>
  )
}

function BlockForm({ tradeNo, close, names }: Props & { readonly names: Names }) {
  const risk = useWords(riskWords)
  const send = useSend('POST /risk/orders/:tradeNo/block')
  const form = useForm<{ kinds: readonly string[]; scope: string; reason: string }>(
    { kinds: [], scope: 'merchant', reason: '' },
    async ({ kinds, scope, reason }) => {
      const chosen = names.map(({ kind }) => kind).filter((kind) => kinds.includes(kind))
      await send({ params: { tradeNo }, body: { kinds: chosen, isForAll: scope === 'all', reason } })
      close()
    },
  )
  return (
    <FormFrame form={form} action={risk.listNames.block} danger cancel={close}>
      <Checkbox.Group
        label={risk.blockWhat}
        description={risk.blockHint}
        value={[...form.values.kinds]}
        onChange={(kinds) => form.set('kinds', kinds)}
        error={form.problemAt('kinds')}
      >
        <Stack gap="xs" my="xs">
          {names.map(({ kind, shown }) => (
            <Checkbox key={kind} value={kind} label={`${risk.kinds[kind]}: ${shown}`} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={risk.blockFor}
        data={[
          { value: 'merchant', label: risk.thisMerchant },
          { value: 'all', label: risk.everyMerchant },
        ]}
        {...form.field('scope')}
      />
      <ReasonField {...form.field('reason')} />
    </FormFrame>
  )
}
