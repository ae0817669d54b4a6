"""BayCaRP's network and cases joined in each of the four ways (baycarp-2011 §4.2).

- `alone`: cases and network without each other: what the joins are compared with
- `bn_cbr_1`: BN-CBR-1 at the table: the opponents' most probable hand types activate and deactivate cases
  (baycarp-2011 §4.2.1)
- `cbr_bn_1`: CBR-BN-1 at the table: similar cases make the network that decides, or a network adapts them
  (baycarp-2011 §4.2.3)
- `cbr_bn_2`: CBR-BN-2 at the table: an opponent's style selects the network that reads it, and these decide
  (baycarp-2011 §4.2.4)
- `filling`: CBR-BN-1 at the table, where the cases fill in what the network does not know (baycarp-2011 §4.1)
- `ways`: BayCaRP's parts joined in each of the four ways of the TLCPC framework (baycarp-2011 §4.1, §4.2)
- `worth`: deciding by the network's beliefs alone: the action worth most against them (G-bucks, baycarp-2011 §5.4.5)
"""
