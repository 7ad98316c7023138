// German descriptions of how the yield is calculated, by the source of each part.

export const serviceMethodsGerman = {
  description:
    '{staking, select, realised {Der Staking-Anteil ist der Median der Inflationserträge, die je Epoche an hier delegierte Konten gezahlt wurden, vor Provision, abzüglich der geltenden Provision, mit Zinseszins.} expected {Der Staking-Anteil ist die erwartete Rendite aus der Inflation des Clusters bei dieser Provision und diesen Vote-Credits.} provider {Der Staking-Anteil ist die Angabe eines Statistikanbieters, hier nicht gemessen.} other {Der Staking-Anteil ist derzeit nicht verfügbar.}} {tips, select, realised {Der Anteil der Jito-Tips ist das Verhältnis der an Stakende gezahlten Jito-Tips zum Stake, der sie verdient hat, ohne Zinseszins.} none {Der Validator gibt keine Jito-Tips weiter.} provider {Die Jito-Tips sind die Angabe eines Statistikanbieters, hier nicht gemessen.} other {Jito-Tips sind derzeit nicht verfügbar.}} Gerechnet wird mit 365 Tagen im Jahr und der zuletzt üblichen Länge der Epochen.',
};
