# frozen_string_literal: true

class Ripper
  # The parser's tokens and tree, read from its serialised form.
  module Tree
    # Of each kind of node its fields, in the parser's order. Letters in front: n node or nil, a nodes, l place, o place or nil, c name, d name or nil, C names, s text, i integer,
    # f float, u number, b byte.
    FIELDS = <<~END
      AliasGlobalVariable nnew_name nold_name lkeyword_loc
      AliasMethod nnew_name nold_name lkeyword_loc
      AlternationPattern nleft nright loperator_loc
      And nleft nright loperator_loc
      Arguments aarguments
      Array aelements oopening_loc oclosing_loc
      ArrayPattern nconstant arequireds nrest aposts oopening_loc oclosing_loc
      Assoc nkey nvalue ooperator_loc
      AssocSplat nvalue loperator_loc
      BackReferenceRead cname
      Begin obegin_keyword_loc nstatements nrescue_clause nelse_clause nensure_clause oend_keyword_loc
      BlockArgument nexpression loperator_loc
      BlockLocalVariable cname
      Block Clocals nparameters nbody lopening_loc lclosing_loc
      BlockParameter dname oname_loc loperator_loc
      BlockParameters nparameters alocals oopening_loc oclosing_loc
      Break narguments lkeyword_loc
      CallAndWrite nreceiver ocall_operator_loc omessage_loc cread_name cwrite_name loperator_loc nvalue
      Call nreceiver ocall_operator_loc cname omessage_loc oopening_loc narguments oclosing_loc oequal_loc nblock
      CallOperatorWrite nreceiver ocall_operator_loc omessage_loc cread_name cwrite_name cbinary_operator lbinary_operator_loc nvalue
      CallOrWrite nreceiver ocall_operator_loc omessage_loc cread_name cwrite_name loperator_loc nvalue
      CallTarget nreceiver lcall_operator_loc cname lmessage_loc
      CapturePattern nvalue ntarget loperator_loc
      CaseMatch npredicate aconditions nelse_clause lcase_keyword_loc lend_keyword_loc
      Case npredicate aconditions nelse_clause lcase_keyword_loc lend_keyword_loc
      Class Clocals lclass_keyword_loc nconstant_path oinheritance_operator_loc nsuperclass nbody lend_keyword_loc cname
      ClassVariableAndWrite cname lname_loc loperator_loc nvalue
      ClassVariableOperatorWrite cname lname_loc lbinary_operator_loc nvalue cbinary_operator
      ClassVariableOrWrite cname lname_loc loperator_loc nvalue
      ClassVariableRead cname
      ClassVariableTarget cname
      ClassVariableWrite cname lname_loc nvalue loperator_loc
      ConstantAndWrite cname lname_loc loperator_loc nvalue
      ConstantOperatorWrite cname lname_loc lbinary_operator_loc nvalue cbinary_operator
      ConstantOrWrite cname lname_loc loperator_loc nvalue
      ConstantPathAndWrite ntarget loperator_loc nvalue
      ConstantPath nparent dname ldelimiter_loc lname_loc
      ConstantPathOperatorWrite ntarget lbinary_operator_loc nvalue cbinary_operator
      ConstantPathOrWrite ntarget loperator_loc nvalue
      ConstantPathTarget nparent dname ldelimiter_loc lname_loc
      ConstantPathWrite ntarget loperator_loc nvalue
      ConstantRead cname
      ConstantTarget cname
      ConstantWrite cname lname_loc nvalue loperator_loc
      Def cname lname_loc nreceiver nparameters nbody Clocals ldef_keyword_loc ooperator_loc olparen_loc orparen_loc oequal_loc oend_keyword_loc
      Defined olparen_loc nvalue orparen_loc lkeyword_loc
      Else lelse_keyword_loc nstatements oend_keyword_loc
      EmbeddedStatements lopening_loc nstatements lclosing_loc
      EmbeddedVariable loperator_loc nvariable
      Ensure lensure_keyword_loc nstatements lend_keyword_loc
      ErrorRecovery nunexpected
      False 
      FindPattern nconstant nleft arequireds nright oopening_loc oclosing_loc
      FlipFlop nleft nright loperator_loc
      Float fvalue
      For nindex ncollection nstatements lfor_keyword_loc lin_keyword_loc odo_keyword_loc lend_keyword_loc
      ForwardingArguments 
      ForwardingParameter 
      ForwardingSuper lkeyword_loc nblock
      GlobalVariableAndWrite cname lname_loc loperator_loc nvalue
      GlobalVariableOperatorWrite cname lname_loc lbinary_operator_loc nvalue cbinary_operator
      GlobalVariableOrWrite cname lname_loc loperator_loc nvalue
      GlobalVariableRead cname
      GlobalVariableTarget cname
      GlobalVariableWrite cname lname_loc nvalue loperator_loc
      Hash lopening_loc aelements lclosing_loc
      HashPattern nconstant aelements nrest oopening_loc oclosing_loc
      If oif_keyword_loc npredicate othen_keyword_loc nstatements nsubsequent oend_keyword_loc
      Imaginary nnumeric
      Implicit nvalue
      ImplicitRest 
      In npattern nstatements lin_keyword_loc othen_keyword_loc
      IndexAndWrite nreceiver ocall_operator_loc lopening_loc narguments lclosing_loc nblock loperator_loc nvalue
      IndexOperatorWrite nreceiver ocall_operator_loc lopening_loc narguments lclosing_loc nblock cbinary_operator lbinary_operator_loc nvalue
      IndexOrWrite nreceiver ocall_operator_loc lopening_loc narguments lclosing_loc nblock loperator_loc nvalue
      IndexTarget nreceiver lopening_loc narguments lclosing_loc nblock
      InstanceVariableAndWrite cname lname_loc loperator_loc nvalue
      InstanceVariableOperatorWrite cname lname_loc lbinary_operator_loc nvalue cbinary_operator
      InstanceVariableOrWrite cname lname_loc loperator_loc nvalue
      InstanceVariableRead cname
      InstanceVariableTarget cname
      InstanceVariableWrite cname lname_loc nvalue loperator_loc
      Integer ivalue
      InterpolatedMatchLastLine lopening_loc aparts lclosing_loc
      InterpolatedRegularExpression lopening_loc aparts lclosing_loc
      InterpolatedString oopening_loc aparts oclosing_loc
      InterpolatedSymbol oopening_loc aparts oclosing_loc
      InterpolatedXString lopening_loc aparts lclosing_loc
      ItLocalVariableRead 
      ItParameters 
      KeywordHash aelements
      KeywordRestParameter dname oname_loc loperator_loc
      Lambda Clocals loperator_loc lopening_loc lclosing_loc nparameters nbody
      LocalVariableAndWrite lname_loc loperator_loc nvalue cname udepth
      LocalVariableOperatorWrite lname_loc lbinary_operator_loc nvalue cname cbinary_operator udepth
      LocalVariableOrWrite lname_loc loperator_loc nvalue cname udepth
      LocalVariableRead cname udepth
      LocalVariableTarget cname udepth
      LocalVariableWrite cname udepth lname_loc nvalue loperator_loc
      MatchLastLine lopening_loc lcontent_loc lclosing_loc sunescaped
      MatchPredicate nvalue npattern lkeyword_loc
      MatchRequired nvalue npattern loperator_loc
      MatchWrite ncall atargets
      Module Clocals lmodule_keyword_loc nconstant_path nbody lend_keyword_loc cname
      MultiTarget alefts nrest arights olparen_loc orparen_loc
      MultiWrite alefts nrest arights olparen_loc orparen_loc loperator_loc nvalue
      Next narguments lkeyword_loc
      Nil 
      NoBlockParameter loperator_loc lkeyword_loc
      NoKeywordsParameter loperator_loc lkeyword_loc
      NumberedParameters bmaximum
      NumberedReferenceRead unumber
      OptionalKeywordParameter cname lname_loc nvalue
      OptionalParameter cname lname_loc loperator_loc nvalue
      Or nleft nright loperator_loc
      Parameters arequireds aoptionals nrest aposts akeywords nkeyword_rest nblock
      Parentheses nbody lopening_loc lclosing_loc
      PinnedExpression nexpression loperator_loc llparen_loc lrparen_loc
      PinnedVariable nvariable loperator_loc
      PostExecution nstatements lkeyword_loc lopening_loc lclosing_loc
      PreExecution nstatements lkeyword_loc lopening_loc lclosing_loc
      Program Clocals nstatements
      Range nleft nright loperator_loc
      Rational inumerator idenominator
      Redo 
      RegularExpression lopening_loc lcontent_loc lclosing_loc sunescaped
      RequiredKeywordParameter cname lname_loc
      RequiredParameter cname
      RescueModifier nexpression lkeyword_loc nrescue_expression
      Rescue lkeyword_loc aexceptions ooperator_loc nreference othen_keyword_loc nstatements nsubsequent
      RestParameter dname oname_loc loperator_loc
      Retry 
      Return lkeyword_loc narguments
      Self 
      ShareableConstant nwrite
      SingletonClass Clocals lclass_keyword_loc loperator_loc nexpression nbody lend_keyword_loc
      SourceEncoding 
      SourceFile sfilepath
      SourceLine 
      Splat loperator_loc nexpression
      Statements abody
      String oopening_loc lcontent_loc oclosing_loc sunescaped
      Super lkeyword_loc olparen_loc narguments orparen_loc nblock
      Symbol oopening_loc lcontent_loc oclosing_loc sunescaped
      True 
      Undef anames lkeyword_loc
      Unless lunless_keyword_loc npredicate othen_keyword_loc nstatements nelse_clause oend_keyword_loc
      Until luntil_keyword_loc odo_keyword_loc oend_keyword_loc npredicate nstatements
      When lwhen_keyword_loc aconditions othen_keyword_loc nstatements
      While lwhile_keyword_loc odo_keyword_loc oend_keyword_loc npredicate nstatements
      XString lopening_loc lcontent_loc lclosing_loc sunescaped
      Yield lkeyword_loc olparen_loc narguments orparen_loc
    END

    # The parser's tokens by their numbers, from 1 on, as Ripper names them. `-` is no token of Ripper's.
    TOKENS = %i[
      - rbrace comma embexpr_end kw kw kw kw kw kw kw kw kw nl nl rparen op semicolon op op op op op backtick backref op op op lbrace lbrace lbrace
      lbracket lbracket op op rbracket op op CHAR cvar op op comment const period op op embdoc_beg embdoc_end embdoc embexpr_beg embvar op op op op op
      float imaginary rational imaginary gvar op op op op heredoc_end heredoc_beg ident ignored_nl ivar int imaginary rational imaginary kw kw kw kw kw
      kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw label label_end tlambeg op op op op op
      ident op op tlambda backref lparen lparen lparen op op qsymbols_beg qwords_beg backtick symbols_beg words_beg op op op op op op regexp_beg
      regexp_end op op op op op op tstring_beg tstring_content tstring_end symbeg op op op op op op op op op op words_sep - backtick __end__
    ].freeze

    # A node of the tree. Its place and the places of its parts are ranges of byte offsets.
    module Node
      def first = location.begin
      def last = location.end
    end

    NODES = FIELDS.each_line.map do |line|
      kind, *fields = line.split
      names = fields.map { |field| field[1..].to_sym }
      node = const_set(:"#{kind}Node", Struct.new(:location, :flags, *names)).include(Node)
      [node, :"visit_#{kind.gsub(/(?<=[a-z])(?=[A-Z])/, "_").downcase}_node", fields.map { |field| field.getbyte(0) }]
    end
    NODES.each { |node, visit| node.define_method(:visit) { visit } }
    private_constant :FIELDS

    Comment = Struct.new(:kind, :location)
    Problem = Struct.new(:number, :message, :location, :level)
  end
end
